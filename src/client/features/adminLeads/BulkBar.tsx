import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import type { AdminLead } from '#shared/adminLeads.ts';
import { leadWords } from '#shared/adminLeadWords.ts';
import { LeadPicker } from './LeadPicker.tsx';
import type { BulkActions } from './useBulk.ts';
import type { Selection } from './useSelection.ts';

const words = leadWords.bulk;

interface BulkBarProps {
  leads: readonly AdminLead[];
  selection: Selection;
  actions: BulkActions;
}

/** What can be done to the leads that are selected: at the foot, so that no row moves when the first is ticked. */
export function BulkBar({ leads, selection, actions }: BulkBarProps) {
  const { ids } = selection;
  const [first] = ids;
  const hasQuarantined = leads.some((lead) => lead.quarantineReason !== null && selection.has(lead.id));
  const { isBusy } = actions;
  return (
    <Bar aria-label={words.label}>
      <Count>{ids.length === 0 ? '' : words.count(ids.length)}</Count>
      {first === undefined ? null : (
        <>
          <LeadPicker
            leadId={first}
            disabled={isBusy}
            onPick={(providerId) => actions.assign(ids, providerId)}
          >
            {words.assign}
          </LeadPicker>
          <Button variant="secondary" size="small" disabled={isBusy} onClick={() => actions.retrySync(ids)}>
            {words.retry}
          </Button>
          {hasQuarantined ? (
            <Button variant="secondary" size="small" disabled={isBusy} onClick={() => actions.release(ids)}>
              {words.release}
            </Button>
          ) : null}
          <Remove variant="secondary" size="small" disabled={isBusy} onClick={() => actions.remove(ids)}>
            {words.remove}
          </Remove>
          <Button variant="quiet" size="small" onClick={selection.clear}>
            {words.clear}
          </Button>
        </>
      )}
    </Bar>
  );
}

const Bar = styled.section`
  position: sticky;
  inset-block-end: 0.75rem;
  z-index: 2;
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.5rem;
  min-block-size: 3rem;
  padding: 0.5rem 0.75rem;
  border: 1px solid ${token.line};
  border-radius: ${token.radius};
  background: ${token.tint};
  box-shadow: ${token.shadow};

  /* Its line is announced from the start, and takes no room until there is one. */
  &:has(> output:first-child:empty) {
    display: contents;
  }
`;

const Count = styled.output`
  margin-inline-end: 0.5rem;
  color: ${token.primary};
  font-size: 0.9375rem;
  font-variant-numeric: tabular-nums;
  font-weight: 600;

  &:empty {
    position: absolute;
  }
`;

const Remove = styled(Button)`
  color: ${token.danger};
`;
