"""Bodies of answers that no reader of a server may stumble over."""

BODIES = (
    b"",
    b"<html>no",
    b"[]",
    b"null",
    b'"no"',
    b"\xff\xfe",
    b"[" * 100_000,
    b'{"error": ' + b"[" * 800 + b"]" * 800 + b"}",
    b'{"error": null}',
    b'{"error": {"message": {"a": 1}, "code": {"a": 1}, "type": ["x"], "param": {"b": 2}}}',
    b'{"error": {"message": null, "code": [1], "type": null, "param": [1]}}',
    b'[{"error": {"message": "x", "code": 400}}]',
    b'{"detail": [{"loc": ["body", {"a": 1}], "msg": 1}]}',
    b'{"data": 7, "text": [], "choices": null, "results": 7, "usage": [1]}',
    b'{"choices": null, "base_resp": {"status_code": 1002, "status_msg": "rate limit"}}',
    b'{"choices": [], "usage": null}',
)
