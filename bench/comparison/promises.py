"""The rival that keeps what the service promises: FastAPI, pikepdf and SQLite.

A token is looked up, the day's quota counted exactly, and the analysis on the disk before the answer (synchronous=FULL).
DATABASE names its file, TOKEN the one account's token, for as many analyses as one likes, PDF_LIBRARY what reads them.
"""

import datetime
import hashlib
import json
import os
import sqlite3
import uuid

from fastapi import FastAPI, Header, HTTPException, UploadFile

from rival import read

app = FastAPI()
database = sqlite3.connect(os.environ["DATABASE"], isolation_level=None)
database.executescript(
    """
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE tokens (hash BLOB PRIMARY KEY, account TEXT NOT NULL, daily_limit INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE days (account TEXT, day TEXT, used INTEGER NOT NULL, PRIMARY KEY (account, day)) WITHOUT ROWID;
    CREATE TABLE analyses (id TEXT PRIMARY KEY, account TEXT NOT NULL, created_at TEXT NOT NULL, metadata TEXT NOT NULL);
    CREATE INDEX lists ON analyses (account, created_at);
    """
)


def digest(token):
    return hashlib.sha256(token.encode()).digest()


database.execute("INSERT INTO tokens VALUES (?, ?, ?)", (digest(os.environ["TOKEN"]), str(uuid.uuid4()), 10**9))


@app.post("/analyze", status_code=201)
async def analyze(file: UploadFile, authorization: str = Header()):
    found = database.execute(
        "SELECT account, daily_limit FROM tokens WHERE hash = ?", (digest(authorization.removeprefix("Bearer ")),)
    ).fetchone()
    if not found:
        raise HTTPException(401, "This token is not known.")
    account, limit = found
    data = await file.read()
    try:
        pages, version, info = read(data)
    except Exception as error:
        raise HTTPException(422, "The PDF could not be read.") from error
    now = datetime.datetime.now(datetime.UTC)
    analysis = {
        "id": str(uuid.uuid4()),
        "created_at": now.isoformat(),
        "filename": file.filename,
        "file_size": len(data),
        "metadata": {"pages": pages, "version": version, "info": info},
    }
    remaining = store(account, limit, now.date().isoformat(), analysis)
    return {"status": "success", "data": analysis, "remaining_checks": remaining}


def store(account, limit, day, analysis):
    """Counts the analysis and keeps it, both or neither; what is left of the day's quota."""
    database.execute("BEGIN IMMEDIATE")
    try:
        counted = database.execute(
            "INSERT INTO days VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET used = used + 1 WHERE used < ? RETURNING used",
            (account, day, limit),
        ).fetchone()
        if not counted:
            raise HTTPException(429, "The day's quota is used up.")
        row = (analysis["id"], account, analysis["created_at"], json.dumps(analysis))
        database.execute("INSERT INTO analyses VALUES (?, ?, ?, ?)", row)
        database.execute("COMMIT")
    except BaseException:
        database.execute("ROLLBACK")
        raise
    return limit - counted[0]
