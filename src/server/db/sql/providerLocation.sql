-- A provider's location: its coordinates, otherwise the centroid of its ZIP, otherwise that of the ZIP's first three
-- digits. Computed here so that no writer can store a location that does not match.
create or replace function locate_provider() returns trigger language plpgsql set search_path = public as $$
declare
  centroid record;
begin
  new.domain := nullif(new.domain, '');
  if tg_op = 'UPDATE' then
    new.updated_at := clock_timestamp();
  end if;
  if new.latitude is not null and new.longitude is not null then
    new.location := ll_to_earth(new.latitude::float8, new.longitude::float8);
    new.location_source := 'coordinates';
    return new;
  end if;
  select z.zip, z.latitude, z.longitude into centroid from zip_centroids z
    where z.zip in (left(new.zip_code, 5), left(new.zip_code, 3)) order by length(z.zip) desc limit 1;
  if found then
    new.location := ll_to_earth(centroid.latitude, centroid.longitude);
    new.location_source := case when length(centroid.zip) = 5 then 'zip' else 'prefix' end;
  else
    new.location := null;
    new.location_source := null;
  end if;
  return new;
end $$;

create or replace trigger providers_locate before insert or update on providers
  for each row execute function locate_provider();
