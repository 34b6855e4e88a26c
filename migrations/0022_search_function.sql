-- Text for the search of leads, already in lower case: without accents and apostrophes, and with spaces for commas. An
-- index stores its results, so it never changes: a later version adds another function and another index.
--
-- Not strict, so that Postgres puts the expression in the place of a call, which takes ten times as long. ASCII text
-- without any of the signs is returned as it is: most texts are, and `translate` takes as long as reading the row.

CREATE FUNCTION fold_search(folded text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
  WHEN octet_length(folded) <> char_length(folded) THEN replace(replace(replace(
    translate(
      regexp_replace(normalize(translate(folded, ',;''`´’‘ʼʹʻ＇', '  '), NFKD), '[\u0300-\u036f]', '', 'g'),
      'øłđðıħ', 'olddih'),
    'æ', 'ae'), 'œ', 'oe'), 'ß', 'ss')
  WHEN strpos(folded, '''') > 0 OR strpos(folded, ',') > 0 OR strpos(folded, ';') > 0 OR strpos(folded, '`') > 0
    THEN translate(folded, ',;''`', '  ')
  ELSE folded END;
