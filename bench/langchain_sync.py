"""The peer of `bench.sync`: LangChain's index() over a folder, into PGVector, one pass.

Run by `bench.sync` with the peers' interpreter: reads the place of everything as JSON from its
first argument, prints what it did.
"""

import json
import sys
import time
from pathlib import Path

from langchain_classic.indexes import SQLRecordManager, index
from langchain_core.documents import Document
from langchain_openai import OpenAIEmbeddings
from langchain_postgres import PGVector
from langchain_text_splitters import Language, RecursiveCharacterTextSplitter
from pydantic import BaseModel, SecretStr

_CHUNK_CHARACTERS = 1_000


class Task(BaseModel):
    """The folder of Markdown files, the database (SQLAlchemy's address) and the model server."""

    folder: Path
    database_url: str
    openai_base_url: str
    model: str


def read_chunks(folder: Path) -> list[Document]:
    """The chunks of all files, each with its file as source."""
    splitter = RecursiveCharacterTextSplitter.from_language(
        Language.MARKDOWN, chunk_size=_CHUNK_CHARACTERS, chunk_overlap=0
    )
    documents = [
        Document(path.read_text(encoding="utf-8"), metadata={"source": str(path)})
        for path in sorted(folder.rglob("*.md"))
    ]
    chunks: list[Document] = splitter.split_documents(documents)
    return chunks


def main() -> None:
    """Bring the store up to the folder."""
    task = Task.model_validate_json(sys.argv[1])
    embeddings = OpenAIEmbeddings(
        model=task.model,
        base_url=task.openai_base_url,
        api_key=SecretStr("bench"),
        chunk_size=64,
        check_embedding_ctx_length=False,
    )
    store = PGVector(embeddings, connection=task.database_url, collection_name="bench")
    records = SQLRecordManager("pgvector/bench", db_url=task.database_url)
    records.create_schema()
    began = time.perf_counter()
    done = index(
        read_chunks(task.folder),
        records,
        store,
        cleanup="full",
        source_id_key="source",
        key_encoder="sha256",
    )
    seconds = time.perf_counter() - began
    print(json.dumps({"seconds": seconds, "embedded": done["num_added"]}))


if __name__ == "__main__":
    main()
