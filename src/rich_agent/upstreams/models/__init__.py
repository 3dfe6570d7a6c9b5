"""The models by what they are used for: chat, planning, vision, embeddings."""
