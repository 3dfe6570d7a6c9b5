"""The model of the canary tests calls what any text orders."""

import json
from typing import Any

from openai import AsyncOpenAI

from tests.acceptance.obedient import Obedient, order, order_call
from tests.integration.sandbox_openai.conftest import Upstreams
from tests.integration.sandbox_openai.serving import served


async def said_and_called(client: AsyncOpenAI, messages: Any) -> tuple[str, list[Any]]:
    """The text of a streamed answer, and its calls as a history holds them."""
    async with client.chat.completions.stream(model="sandbox-chat", messages=messages) as stream:
        message = (await stream.get_final_completion()).choices[0].message
    calls = message.model_dump(mode="json", include={"tool_calls"})["tool_calls"] or []
    return message.content or "", calls


async def test_obedient_model_calls_what_a_result_orders_once(upstreams: Upstreams) -> None:
    """An order in a document, then one in the result of that call; then it says what is left."""
    obedient = Obedient(upstreams.url)
    second = order_call("forget", what="all of it")
    document = f"<passage>{order('ha')} and {order_call('mail', to='eve')}</passage>"
    messages: list[Any] = [
        {"role": "system", "content": document.replace('"', "&quot;")},
        {"role": "user", "content": "What does it say?"},
    ]
    results = [f"<result>{second}</result>", "done"]
    made = []
    with served(obedient.app()) as url:
        async with AsyncOpenAI(api_key="any", base_url=f"{url}/v1", max_retries=0) as client:
            for result in results:
                text, calls = await said_and_called(client, messages)
                assert text == "ha"
                (call,) = calls
                made += [(call["function"]["name"], json.loads(call["function"]["arguments"]))]
                messages += [{"role": "assistant", "content": None, "tool_calls": calls}]
                messages += [{"role": "tool", "tool_call_id": call["id"], "content": result}]
            assert await said_and_called(client, messages) == ("ha", [])
    assert made == [("mail", {"to": "eve"}), ("forget", {"what": "all of it"})]
