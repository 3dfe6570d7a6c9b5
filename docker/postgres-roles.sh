#!/bin/sh
# Creates the role that owns the tables and the bot's role. Runs once, when the database is created.
set -eu

psql --no-psqlrc --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
  --set owner_password="$POSTGRES_OWNER_PASSWORD" --set bot_password="$POSTGRES_BOT_PASSWORD" <<'SQL'
CREATE ROLE rich_agent_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE rich_agent_app LOGIN PASSWORD :'bot_password';
CREATE EXTENSION vector;
GRANT USAGE, CREATE ON SCHEMA public TO rich_agent_owner;
GRANT USAGE ON SCHEMA public TO rich_agent_app;
ALTER DEFAULT PRIVILEGES FOR ROLE rich_agent_owner IN SCHEMA public
  GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO rich_agent_app;
ALTER DEFAULT PRIVILEGES FOR ROLE rich_agent_owner IN SCHEMA public
  GRANT USAGE, SELECT ON SEQUENCES TO rich_agent_app;
SQL
