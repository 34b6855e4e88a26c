-- The one update of evidence that is allowed: an erasure blanks the personal values of a record, once hashes of exactly
-- those values are stored in consent_erasures. The names are those that the hashes cover (consent/evidenceFields.ts).
create or replace function allow_consent_erasure() returns trigger language plpgsql set search_path = public as $$
declare
  personal constant text[] := '{first_name,last_name,email,phone,ip,user_agent,page_url,referrer_host,origin,text_shown,answers}';
  erasure consent_erasures;
  before jsonb;
  hashes jsonb;
  blank jsonb;
begin
  select * into erasure from consent_erasures where record_id = old.id;
  if found then
    before := to_jsonb(old) || jsonb_build_object('text_shown', case when not old.text_known then old.text_shown end);
    select jsonb_object_agg(name, encode(sha256(convert_to(erasure.salt || E'\n' || name || E'\n' || (before ->> name), 'UTF8')), 'hex'))
      into hashes from unnest(personal) as name;
    blank := jsonb_build_object('first_name', '', 'last_name', '', 'email', '', 'phone', '', 'ip', '0.0.0.0',
      'user_agent', null, 'page_url', null, 'referrer_host', null, 'origin', null,
      'text_shown', case when old.text_known then old.text_shown else '' end, 'answers', null);
    -- A process of 1.0 knows no answers.
    if old.answers is null and not erasure.hashes ? 'answers' then
      hashes := hashes - 'answers';
    end if;
    if hashes = erasure.hashes and to_jsonb(new) = to_jsonb(old) || blank then
      return new;
    end if;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

create or replace trigger consent_records_append_only before update on consent_records
  for each row execute function allow_consent_erasure();

-- A withdrawal keeps everything but the address it came from, which goes with the person's erasure.
create or replace function allow_withdrawal_erasure() returns trigger language plpgsql set search_path = public as $$
begin
  if to_jsonb(new) = to_jsonb(old) || '{"ip": null}' and (
    exists (select from leads where id = old.lead_id and erased_at is not null) or
    exists (select from consent_erasures join consent_records on consent_records.id = record_id where lead_id = old.lead_id)) then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

create or replace trigger consent_withdrawals_append_only before update on consent_withdrawals
  for each row execute function allow_withdrawal_erasure();
