-- Roles, database and extensions, for psql as a superuser. Existing roles get the given passwords; an existing database
-- is an error. docs/install.md and docs/backup.md run it, and compose.yaml's Postgres when its volume is new:
--
--   OWNER_PASSWORD=… APP_PASSWORD=… psql --file deploy/database.sql
\set ON_ERROR_STOP on
\getenv owner_password OWNER_PASSWORD
\getenv app_password APP_PASSWORD

select format('create role %I login', name)
from (values ('clinic_leads_owner'), ('clinic_leads')) as needed (name)
where not exists (select from pg_roles where rolname = name)
\gexec
alter role clinic_leads_owner password :'owner_password';
alter role clinic_leads password :'app_password';

create database clinic_leads owner clinic_leads_owner;
\connect clinic_leads
-- earthdistance isn't trusted: an owner of a database can't create it.
create extension cube;
create extension earthdistance;
create extension pg_trgm;
