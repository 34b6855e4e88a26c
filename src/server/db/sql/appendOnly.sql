-- Evidence and the audit log are append-only for every writer. retention.sql says what may be removed when it is old.
create or replace function refuse_change() returns trigger language plpgsql set search_path = public as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

create or replace trigger audit_log_append_only before update on audit_log
  for each row execute function refuse_change();
create or replace trigger audit_log_no_truncate before truncate on audit_log
  for each statement execute function refuse_change();
create or replace trigger claim_acceptances_append_only before update or delete on claim_acceptances
  for each row execute function refuse_change();
create or replace trigger claim_acceptances_no_truncate before truncate on claim_acceptances
  for each statement execute function refuse_change();
create or replace trigger consent_checkpoints_append_only before update or delete on consent_checkpoints
  for each row execute function refuse_change();
create or replace trigger consent_checkpoints_no_truncate before truncate on consent_checkpoints
  for each statement execute function refuse_change();
create or replace trigger consent_erasures_append_only before update on consent_erasures
  for each row execute function refuse_change();
create or replace trigger consent_erasures_no_truncate before truncate on consent_erasures
  for each statement execute function refuse_change();
create or replace trigger consent_form_snapshots_append_only before update on consent_form_snapshots
  for each row execute function refuse_change();
create or replace trigger consent_records_no_truncate before truncate on consent_records
  for each statement execute function refuse_change();
create or replace trigger consent_seals_append_only before update on consent_seals
  for each row execute function refuse_change();
create or replace trigger consent_seals_no_truncate before truncate on consent_seals
  for each statement execute function refuse_change();
create or replace trigger consent_withdrawals_no_truncate before truncate on consent_withdrawals
  for each statement execute function refuse_change();
