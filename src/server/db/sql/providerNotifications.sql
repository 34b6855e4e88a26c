-- Notifies every process of changed providers, for every writer: comma-separated ids, or * for more than 200.
create or replace function notify_providers_changed() returns trigger language plpgsql set search_path = public as $$
declare
  ids text;
begin
  if tg_op = 'TRUNCATE' then
    perform pg_notify('providers_changed', '*');
    return null;
  end if;
  if tg_op = 'DELETE' then
    select case when count(*) > 200 then '*' else string_agg(id::text, ',') end into ids from old_rows;
  else
    select case when count(*) > 200 then '*' else string_agg(id::text, ',') end into ids from new_rows;
  end if;
  if ids is not null then
    perform pg_notify('providers_changed', ids);
  end if;
  return null;
end $$;

create or replace trigger providers_inserted after insert on providers
  referencing new table as new_rows for each statement execute function notify_providers_changed();
create or replace trigger providers_updated after update on providers
  referencing new table as new_rows for each statement execute function notify_providers_changed();
create or replace trigger providers_deleted after delete on providers
  referencing old table as old_rows for each statement execute function notify_providers_changed();
create or replace trigger providers_truncated after truncate on providers
  for each statement execute function notify_providers_changed();
