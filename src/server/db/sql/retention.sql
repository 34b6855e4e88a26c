-- What `npm run retention:prune` may remove, for every writer: evidence that a checkpoint covers and that must no longer
-- be kept, what belonged to it, and entries of the audit log that a newer entry names.
create or replace function allow_prune() returns trigger language plpgsql set search_path = public as $$
declare
  covered bigint;
  allowed boolean;
begin
  if tg_table_name = 'audit_log' then
    allowed := old.at < now() - interval '365 days' and old.at < (
      select (detail ->> 'before')::timestamptz from audit_log where action = 'audit.prune' order by id desc limit 1);
  else
    select max(seq) into covered from consent_checkpoints;
  end if;
  case tg_table_name
    when 'consent_records' then
      allowed := old.retain_until < now()
        and exists (select from consent_seals where record_id = old.id and sealed = 'record' and seq <= covered);
    when 'consent_erasures' then
      allowed := not exists (select from consent_records where id = old.record_id)
        and exists (
          select from consent_seals where record_id = old.record_id and sealed = 'erasure' and seq <= covered);
    when 'consent_seals' then
      allowed := old.seq <= covered and case old.sealed
        when 'record' then not exists (select from consent_records where id = old.record_id)
        else not exists (select from consent_erasures where record_id = old.record_id) end;
    -- Five years, as long as evidence itself.
    when 'consent_withdrawals' then
      allowed := covered is not null and old.at < now() - interval '5 years'
        and not exists (select from consent_records where lead_id = old.lead_id)
        and not exists (select from leads where id = old.lead_id and erased_at is null);
    when 'consent_form_snapshots' then
      allowed := covered is not null and old.created_at < now() - interval '5 years'
        and not exists (select from consent_records where form_sha256 = old.sha256);
    else null;
  end case;
  if allowed then
    return old;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

create or replace trigger audit_log_prune before delete on audit_log
  for each row execute function allow_prune();
create or replace trigger consent_erasures_prune before delete on consent_erasures
  for each row execute function allow_prune();
create or replace trigger consent_form_snapshots_prune before delete on consent_form_snapshots
  for each row execute function allow_prune();
create or replace trigger consent_records_prune before delete on consent_records
  for each row execute function allow_prune();
create or replace trigger consent_seals_prune before delete on consent_seals
  for each row execute function allow_prune();
create or replace trigger consent_withdrawals_prune before delete on consent_withdrawals
  for each row execute function allow_prune();
