import { styled } from 'styled-components';
import { SelectionBar } from '#client/admin/kit/SelectionBar.tsx';
import { token } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import type { AdminLead } from '#shared/admin/adminLeads.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { LeadPicker } from './LeadPicker.tsx';
import type { BulkActions } from './useBulk.ts';
import type { Selection } from '#client/admin/kit/useSelection.ts';

const copy = leadCopy.bulk;

interface BulkBarProps {
  leads: readonly AdminLead[];
  selection: Selection;
  actions: BulkActions;
}

/** The actions for the selected leads. */
export function BulkBar({ leads, selection, actions }: BulkBarProps) {
  const { ids } = selection;
  const [first] = ids;
  const hasQuarantined = leads.some((lead) => lead.quarantineReason !== null && selection.has(lead.id));
  const { isBusy } = actions;
  return (
    <SelectionBar label={copy.label} count={ids.length === 0 ? '' : copy.count(ids.length)}>
      {first === undefined ? null : (
        <>
          <LeadPicker
            leadId={first}
            disabled={isBusy}
            onPick={(providerId) => actions.assign(ids, providerId)}
          >
            {copy.assign}
          </LeadPicker>
          <Button variant="secondary" size="small" disabled={isBusy} onClick={() => actions.retrySync(ids)}>
            {copy.retry}
          </Button>
          {hasQuarantined ? (
            <Button variant="secondary" size="small" disabled={isBusy} onClick={() => actions.release(ids)}>
              {copy.release}
            </Button>
          ) : null}
          <Remove variant="secondary" size="small" disabled={isBusy} onClick={() => actions.remove(ids)}>
            {copy.remove}
          </Remove>
          <Button variant="quiet" size="small" onClick={selection.clear}>
            {copy.clear}
          </Button>
        </>
      )}
    </SelectionBar>
  );
}

const Remove = styled(Button)`
  color: ${token.danger};
`;
