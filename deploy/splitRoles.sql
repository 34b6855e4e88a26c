-- For a database that compose.yaml of version 1.0.1 or earlier made, where the role clinic_leads is the superuser and owns
-- everything. Afterwards postgres is the superuser, with that password, clinic_leads_owner owns the tables, and
-- clinic_leads has rights to rows only, which the next migration grants. For psql as clinic_leads (docs/upgrade.md):
--
--   OWNER_PASSWORD=… APP_PASSWORD=… psql --username clinic_leads --dbname clinic_leads --file deploy/splitRoles.sql
\set ON_ERROR_STOP on
\getenv owner_password OWNER_PASSWORD
\getenv app_password APP_PASSWORD

-- A role can't rename itself, and the first superuser stays one.
drop role if exists clinic_leads_split;
create role clinic_leads_split superuser login;
\connect clinic_leads clinic_leads_split

begin;
alter role clinic_leads rename to postgres;
create role clinic_leads_owner login password :'owner_password';
create role clinic_leads login password :'app_password';
alter database clinic_leads owner to clinic_leads_owner;

-- Postgres doesn't reassign what the first superuser owns ("required by the database system"), so each object by itself.
-- Parts of extensions stay the superuser's, as after database.sql.
create function pg_temp.is_ours(catalog regclass, object oid, schema oid) returns boolean language sql as $$
  select exists (
    select from pg_namespace
    where oid = schema and nspname not in ('pg_catalog', 'information_schema') and nspname not like 'pg\_t%'
  ) and not exists (select from pg_depend where classid = catalog and objid = object and deptype = 'e')
$$;

select format('alter schema %I owner to clinic_leads_owner', nspname)
from pg_namespace
where nspowner = 'postgres'::regrole and nspname not in ('pg_catalog', 'information_schema') and nspname not like 'pg\_t%'
  and not exists (select from pg_depend where classid = 'pg_namespace'::regclass and objid = pg_namespace.oid and deptype = 'e')
union all
-- A column's sequence follows its table.
select format(
  'alter %s %s owner to clinic_leads_owner',
  case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end,
  oid::regclass)
from pg_class
where relkind in ('r', 'p', 'v', 'm', 'S') and relowner = 'postgres'::regrole
  and pg_temp.is_ours('pg_class', oid, relnamespace)
  and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype in ('a', 'i'))
union all
select format('alter routine %s owner to clinic_leads_owner', oid::regprocedure)
from pg_proc
where proowner = 'postgres'::regrole and pg_temp.is_ours('pg_proc', oid, pronamespace)
union all
select format('alter type %s owner to clinic_leads_owner', oid::regtype)
from pg_type
where typtype in ('e', 'd') and typowner = 'postgres'::regrole and pg_temp.is_ours('pg_type', oid, typnamespace)
union all
select format('alter statistics %s owner to clinic_leads_owner', format('%I.%I', stxnamespace::regnamespace, stxname))
from pg_statistic_ext
where stxowner = 'postgres'::regrole and pg_temp.is_ours('pg_statistic_ext', oid, stxnamespace)
\gexec
-- Otherwise it goes when this session has ended, perhaps after the role below.
drop function pg_temp.is_ours(regclass, oid, oid);
commit;

\connect clinic_leads postgres
drop role clinic_leads_split;
