-- Notifies every process of changed providers, for every writer: comma-separated ids and ranges of ids (`5,7-9`), in as
-- many notices as needed, or * for everything. A bulk change of neighbors is one short range.
create or replace function notify_providers_changed() returns trigger language plpgsql set search_path = public as $$
declare
  -- A notice has at most 8,000 bytes, and a range 39.
  items_max constant int := 190;
  notices_max constant int := 20;
  ids bigint[];
  notices text[];
  notice text;
begin
  if tg_op = 'TRUNCATE' then
    perform pg_notify('providers_changed', '*');
    return null;
  end if;
  if tg_op = 'DELETE' then
    select array_agg(id) into ids from old_rows;
  else
    select array_agg(id) into ids from new_rows;
  end if;
  if ids is null then
    return null;
  end if;
  if cardinality(ids) = 1 then
    perform pg_notify('providers_changed', ids[1]::text);
    return null;
  end if;
  with numbered as (select id, id - row_number() over (order by id) as island from unnest(ids) as id),
    ranges as (select min(id) as low, max(id) as high from numbered group by island),
    items as (
      select row_number() over (order by low) - 1 as place,
        case when low = high then low::text else low || '-' || high end as item
      from ranges),
    texts as (select string_agg(item, ',' order by place) as text from items group by place / items_max)
  select array_agg(text) into notices from texts;
  if cardinality(notices) > notices_max then
    notices := array['*'];
  end if;
  foreach notice in array notices loop
    perform pg_notify('providers_changed', notice);
  end loop;
  return null;
end $$;

create or replace trigger providers_inserted after insert on providers
  referencing new table as new_rows for each statement execute function notify_providers_changed();
create or replace trigger providers_updated after update on providers
  referencing new table as new_rows for each statement execute function notify_providers_changed();
create or replace trigger providers_deleted after delete on providers
  referencing old table as old_rows for each statement execute function notify_providers_changed();
-- Which claims are hidden is live on every process in the same way. A process of an earlier version reads everything again.
create or replace function notify_claims_changed() returns trigger language plpgsql set search_path = public as $$
begin
  perform pg_notify('providers_changed', 'claims');
  return null;
end $$;

create or replace trigger hidden_claims_changed after insert or update or delete or truncate on hidden_claims
  for each statement execute function notify_claims_changed();
create or replace trigger providers_truncated after truncate on providers
  for each statement execute function notify_providers_changed();
