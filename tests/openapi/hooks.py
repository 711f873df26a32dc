"""What generated requests need to know beyond the document: real PDFs, and which token not to revoke."""

import os

import requests
import schemathesis
from hypothesis import strategies as st

from service import pdf

API, TOKEN = os.environ["API"], os.environ["TOKEN"]
OWNER = {"Authorization": f"Bearer {TOKEN}"}
# an account has at most 100 tokens
MANY = 80

titles = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=40)
schemathesis.openapi.media_type("application/pdf", st.builds(pdf, titles, st.integers(0, 5000)))


def tokens():
    """The ids of the tokens, newest first; the last is the one in use."""
    answer = requests.get(f"{API}/tokens", headers=OWNER, timeout=30)
    return [token["id"] for token in answer.json()["data"]]


OWN = tokens()[-1]


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.operation.label == "DELETE /tokens/{id}" and (case.path_parameters or {}).get("id") == OWN:
        case.path_parameters = {"id": "01a1f8ff-6859-718b-8d9d-ac6a8ec88da4"}
    # a form has no null
    if case.operation.label == "POST /tokens" and "form-urlencoded" in (case.media_type or ""):
        if isinstance(case.body, dict) and case.body.get("expires_in_days", 1) is None:
            del case.body["expires_in_days"]


@schemathesis.hook
def filter_case(context, case):
    """Leaves out forms with names that no part's header can carry."""
    return not isinstance(case.body, dict) or all(name.isprintable() for name in case.body)


@schemathesis.hook
def after_call(context, case, response):
    if case.operation.label == "POST /tokens" and response.status_code == 201:
        ids = tokens()
        if len(ids) > MANY:
            for token in ids[MANY // 2 : -1]:
                requests.delete(f"{API}/tokens/{token}", headers=OWNER, timeout=30)


@schemathesis.check
def valid_analysis_acceptance(ctx, response, case):
    """A valid request is refused by 422 only for a key that was used for another file."""
    if case.operation.label in ("POST /pdf/analyze", "POST /pdf/compare") and response.status_code == 422:
        if case.meta and case.meta.generation.mode.is_positive:
            code = response.json()["error"]["code"]
            assert code == "idempotency_key_reused", f"a valid request was refused: {code}"
