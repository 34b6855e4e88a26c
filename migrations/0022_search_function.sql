-- Text for the search of leads, already in lower case: without accents and apostrophes, and with spaces for commas. An
-- index stores its results, so it never changes: a later version adds another function and another index.

CREATE FUNCTION fold_search(folded text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE WHEN octet_length(folded) = char_length(folded) THEN translate(folded, ',;''`', '  ')
  ELSE replace(replace(replace(
    translate(
      regexp_replace(normalize(translate(folded, ',;''`´’‘ʼʹʻ＇', '  '), NFKD), '[\u0300-\u036f]', '', 'g'),
      'øłđðıħ', 'olddih'),
    'æ', 'ae'), 'œ', 'oe'), 'ß', 'ss') END;
