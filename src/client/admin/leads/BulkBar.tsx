import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { Muted } from '#client/admin/kit/layout.tsx';
import { SelectionBar } from '#client/admin/kit/SelectionBar.tsx';
import { token } from '#client/theme/tokens.ts';
import { matchingLeadsMax } from '#shared/admin/leadActions.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { isCrmHeld } from './LeadCells.tsx';
import { LeadPicker } from './LeadPicker.tsx';
import { type BulkActions, type BulkSelection, countBulk } from './useBulk.ts';

const copy = leadCopy.bulk;

interface BulkBarProps {
  selection: BulkSelection;
  actions: BulkActions;
  /** Deleted leads can only be restored. */
  isDeleted: boolean;
  /** Its cards have no head with a checkbox. */
  isPhone: boolean;
  onClear: () => void;
}

export function BulkBar({ selection, actions, isDeleted, isPhone, onClear }: BulkBarProps) {
  const { rows, chosen } = selection;
  return (
    <SelectionBar
      label={copy.label}
      count={chosen === null ? '' : copy.count(countBulk(chosen))}
      beside={
        <>
          {isPhone && chosen !== null && !rows.isAll ? (
            <All variant="quiet" onClick={() => rows.selectAll(true)}>
              {leadCopy.selectAll}
            </All>
          ) : null}
          <Matching {...selection} />
        </>
      }
      clearLabel={copy.clear}
      onClear={onClear}
    >
      {chosen === null ? null : isDeleted ? (
        <ActionButton disabled={actions.isBusy} onClick={() => actions.restore(chosen)}>
          {copy.restore}
        </ActionButton>
      ) : (
        <Changes selection={selection} actions={actions} />
      )}
    </SelectionBar>
  );
}

/** Selects the other pages too, or says why it can't. */
function Matching({ selectMatching }: Pick<BulkSelection, 'selectMatching'>) {
  if (selectMatching === null) return null;
  const { total, start } = selectMatching;
  if (start === null) return <Muted>{copy.tooMany(matchingLeadsMax)}</Muted>;
  return (
    <All variant="quiet" onClick={start}>
      {copy.selectMatching(total)}
    </All>
  );
}

function Changes({ selection: { leads, chosen }, actions }: Pick<BulkBarProps, 'selection' | 'actions'>) {
  const [first] = leads;
  const disabled = actions.isBusy;
  if (first === undefined || chosen === null) return null;
  // Of a selection beyond the page, only the leads of the page are known here.
  const isWhole = !('ids' in chosen);
  const hasQuarantined = leads.some(({ quarantineReason }) => quarantineReason !== null);
  const hasProvider = isWhole || leads.some(({ provider_id: providerId }) => providerId !== null);
  return (
    <>
      <span data-bulk-assign="">
        <LeadPicker
          leadId={first.id}
          disabled={disabled}
          {...(countBulk(chosen) > 1
            ? { several: { leads: chosen, onPickNearest: () => actions.assign(chosen, null, null) } }
            : {})}
          onPick={(providerId, name) => actions.assign(chosen, providerId, name)}
        >
          {copy.assign}
        </LeadPicker>
      </span>
      <ActionButton disabled={disabled || !hasProvider} onClick={() => actions.resendToProvider(chosen)}>
        {leadCopy.resendToProvider}
      </ActionButton>
      <ActionButton
        disabled={disabled}
        aria-disabled={leads.every(isCrmHeld)}
        onClick={() => actions.retrySync(chosen)}
      >
        {copy.retry}
      </ActionButton>
      {hasQuarantined ? (
        <ActionButton disabled={disabled} onClick={() => actions.release(chosen)}>
          {copy.release}
        </ActionButton>
      ) : null}
      <Remove disabled={disabled} onClick={() => actions.remove(chosen)}>
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
