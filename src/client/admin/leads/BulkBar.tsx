import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { SelectionBar } from '#client/admin/kit/SelectionBar.tsx';
import { token } from '#client/theme/tokens.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { isCrmHeld } from './LeadCells.tsx';
import { LeadPicker } from './LeadPicker.tsx';
import type { BulkActions, BulkSelection } from './useBulk.ts';

const copy = leadCopy.bulk;

interface BulkBarProps {
  selection: BulkSelection;
  actions: BulkActions;
  /** Deleted leads can only be restored. */
  isDeleted: boolean;
  onClear: () => void;
}

export function BulkBar({ selection, actions, isDeleted, onClear }: BulkBarProps) {
  const { leads, selectMatching } = selection;
  const [first] = leads;
  const ids = leads.map(({ id }) => id);
  return (
    <SelectionBar
      label={copy.label}
      count={leads.length === 0 ? '' : copy.count(leads.length)}
      beside={
        selectMatching === null ? null : (
          <All variant="quiet" aria-disabled={selectMatching.isPending} onClick={selectMatching.start}>
            {copy.selectMatching(selectMatching.count)}
          </All>
        )
      }
      clearLabel={copy.clear}
      onClear={onClear}
    >
      {first === undefined ? null : isDeleted ? (
        <ActionButton disabled={actions.isBusy} onClick={() => actions.restore(ids)}>
          {copy.restore}
        </ActionButton>
      ) : (
        <Changes selection={selection} actions={actions} />
      )}
    </SelectionBar>
  );
}

function Changes({ selection: { leads }, actions }: Pick<BulkBarProps, 'selection' | 'actions'>) {
  const [first] = leads;
  const ids = leads.map(({ id }) => id);
  const disabled = actions.isBusy;
  const hasQuarantined = leads.some(({ quarantineReason }) => quarantineReason !== null);
  const isHeld = leads.every(isCrmHeld);
  if (first === undefined) return null;
  return (
    <>
      <LeadPicker
        leadId={first.id}
        disabled={disabled}
        {...(ids.length > 1
          ? { several: { ids, onPickNearest: () => actions.assign(ids, null, null) } }
          : {})}
        onPick={(providerId, name) => actions.assign(ids, providerId, name)}
      >
        {copy.assign}
      </LeadPicker>
      <ActionButton
        disabled={disabled || leads.every(({ provider_id: providerId }) => providerId === null)}
        onClick={() => actions.resendToProvider(ids)}
      >
        {leadCopy.resendToProvider}
      </ActionButton>
      <ActionButton disabled={disabled} aria-disabled={isHeld} onClick={() => actions.retrySync(ids)}>
        {copy.retry}
      </ActionButton>
      {hasQuarantined ? (
        <ActionButton disabled={disabled} onClick={() => actions.release(ids)}>
          {copy.release}
        </ActionButton>
      ) : null}
      <Remove disabled={disabled} onClick={() => actions.remove(ids)}>
        {copy.remove}
      </Remove>
    </>
  );
}

/** Narrow, so that on a phone it is in one line with the count and the button that clears the selection. */
const All = styled(ActionButton)`
  padding-inline: 0.25rem;
`;

const Remove = styled(ActionButton)`
  color: ${token.danger};
`;
