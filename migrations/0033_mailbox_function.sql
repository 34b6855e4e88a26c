-- The mailbox of a normalized email address, as `mailboxOf` (features/identity/mailbox.ts) says it. An index stores its
-- results, so it never changes: a later version adds another function and another index. Not strict, so that Postgres
-- puts the expression in the place of a call.

CREATE FUNCTION email_mailbox(email text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
  WHEN email ~ '.@(gmail|googlemail)\.com$' THEN coalesce(
      nullif(replace(regexp_replace(regexp_replace(email, '@[^@]*$', ''), '^([+=]*[^+=]+)[+=].*$', '\1'), '.', ''), ''),
      regexp_replace(regexp_replace(email, '@[^@]*$', ''), '^([+=]*[^+=]+)[+=].*$', '\1')) || '@gmail.com'
  WHEN email ~ '.@(yahoo\.(com|[a-z]{2}|com?\.(?!jp$)[a-z]{2})|(ymail|rocketmail|myyahoo)\.com)$'
    THEN regexp_replace(email, '^([+=-]*[^+=-]+)[+=-].*(@[^@]*)$', '\1\2')
  WHEN strpos(email, '+') > 0 OR strpos(email, '=') > 0
    THEN regexp_replace(email, '^([+=]*[^+=]+)[+=].*(@[^@]*)$', '\1\2')
  ELSE email END;
