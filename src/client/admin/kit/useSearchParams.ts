import { useCallback, useMemo } from 'react';
import { useSearchParams as useUrlParams } from 'wouter';
import type { z } from 'zod';
import { searchParams } from '#shared/admin/searchParams.ts';
import { openLeadSearch } from '#shared/admin/adminLeads.ts';

export interface SearchParamsControl<Values> {
  values: Values;
  /** Shows exactly these values; the others get their defaults. `isTyping` adds no step to the browser's history. */
  show: (values: Partial<Values>, isTyping?: boolean) => void;
  /** Changes some values and keeps the others. */
  change: (part: Partial<Values>) => void;
  /** The link that shows exactly these values. */
  buildHref: (values: Partial<Values>) => string;
}

/** The values of a schema, kept in the URL. Each change is a step in the browser's history. */
export function useSearchParams<Schema extends z.ZodObject>(
  schema: Schema,
  prefix = '',
): SearchParamsControl<z.output<Schema>> {
  const codec = useMemo(() => searchParams(schema, prefix), [schema, prefix]);
  const [params, setParams] = useUrlParams();
  const values = useMemo(() => codec.read(params), [codec, params]);
  return {
    values,
    show: (wanted, isTyping = false) => setParams((now) => codec.write(now, wanted), { replace: isTyping }),
    change: (part) => setParams((now) => codec.write(now, { ...codec.read(now), ...part })),
    buildHref: (wanted) => `?${codec.write(params, wanted)}`,
  };
}

interface OpenLead {
  /** Null while no drawer is open. */
  lead: number | null;
  /** The link that opens a lead's drawer over the current tab. */
  buildHref: (lead: number) => string;
  close: () => void;
}

const openLead = searchParams(openLeadSearch);

/** The lead whose drawer is open, kept in the URL. Any tab may link to a lead; the shell renders its drawer. */
export function useOpenLead(): OpenLead {
  const { values, show, buildHref } = useSearchParams(openLeadSearch);
  // The same for each open lead, so that rows don't render again when another one is opened.
  const rest = buildHref({});
  return {
    lead: values.lead ?? null,
    buildHref: useCallback((lead) => `?${openLead.write(new URLSearchParams(rest), { lead })}`, [rest]),
    close: () => show({}),
  };
}
