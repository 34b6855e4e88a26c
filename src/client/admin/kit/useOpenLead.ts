import { openLeadSearch } from '#shared/admin/adminLeads.ts';
import { useSearchParams } from './useSearchParams.ts';

interface OpenLead {
  /** Null while no drawer is open. */
  lead: number | null;
  /** The link that opens a lead's drawer over the current tab. */
  hrefOf: (lead: number) => string;
  close: () => void;
}

/** The lead whose drawer is open, kept in the URL. Any tab may link to a lead; the shell renders its drawer. */
export function useOpenLead(): OpenLead {
  const { values, show, hrefOf } = useSearchParams(openLeadSearch);
  return {
    lead: values.lead ?? null,
    hrefOf: (lead) => hrefOf({ lead }),
    close: () => show({}),
  };
}
