"""What one would write instead in an afternoon: a PDF's metadata by FastAPI, with pypdf or pikepdf (PDF_LIBRARY).

It knows no accounts, no quota and stores nothing: it is here to be measured beside the service."""

import io
import os

from fastapi import FastAPI, HTTPException, UploadFile

app = FastAPI()


def with_pypdf(data):
    import pypdf

    pdf = pypdf.PdfReader(io.BytesIO(data))
    return len(pdf.pages), pdf.pdf_header, {key: str(value) for key, value in (pdf.metadata or {}).items()}


def with_pikepdf(data):
    import pikepdf

    with pikepdf.open(io.BytesIO(data)) as pdf:
        return len(pdf.pages), pdf.pdf_version, {key: str(value) for key, value in pdf.docinfo.items()}


read = {"pypdf": with_pypdf, "pikepdf": with_pikepdf}[os.environ["PDF_LIBRARY"]]


@app.post("/analyze", status_code=201)
async def analyze(file: UploadFile):
    data = await file.read()
    try:
        pages, version, info = read(data)
    except Exception as error:
        raise HTTPException(422, "The PDF could not be read.") from error
    return {"status": "success", "data": {"filename": file.filename, "pages": pages, "version": version, "info": info}}
