import { useState } from 'react';
import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { ActionForm } from '#client/admin/kit/ActionForm.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { MutedFigures } from '#client/admin/kit/layout.tsx';
import { withReport } from '#client/admin/kit/reports.ts';
import { toText } from '#client/admin/kit/text.ts';
import { instantHint, instantText } from '#client/admin/kit/times.ts';
import { token } from '#client/theme/tokens.ts';
import { Dialog } from '#client/ui/Dialog.tsx';
import { Field } from '#client/ui/Field.tsx';
import type { AdminLead } from '#shared/admin/adminLeads.ts';
import type { LeadDetail } from '#shared/admin/leadDetail.ts';
import { adminMessages } from '#shared/admin/copy.ts';
import { leadCopy, suppressionCopy } from '#shared/admin/leadCopy.ts';
import { identityNames } from '#shared/admin/leadDetailCopy.ts';
import { leadDetailCopy } from '#shared/admin/leadDetailCopy.ts';
import { identityKinds, type SuppressionEntry } from '#shared/leads/suppression.ts';
import { ConfirmDialog } from '../ConfirmDialog.tsx';
import { leadName } from '../copy.ts';

const copy = leadCopy.suppress;

/** Ends all contact with the person of a lead, after a confirmation. Only an owner can lift it. */
export function SuppressButton({ lead }: { lead: AdminLead }) {
  const [isConfirming, setIsConfirming] = useState(false);
  const suppress = adminApi.admin.suppressions.add.useMutation(withReport(adminMessages.suppress));
  const close = (): void => setIsConfirming(false);
  return (
    <>
      <ActionButton onClick={() => setIsConfirming(true)}>{copy.action}</ActionButton>
      <ConfirmDialog
        open={isConfirming}
        title={copy.title(leadName(lead))}
        text={copy.text}
        action={copy.action}
        isBusy={suppress.isPending}
        onConfirm={() => suppress.mutate({ id: lead.id }, { onSettled: close })}
        onClose={close}
      />
    </>
  );
}

type IdentityKind = (typeof identityKinds)[number];

interface SuppressionPanelProps {
  leadId: number;
  suppression: LeadDetail['suppression'];
  canLift: boolean;
}

/** Why nothing more is sent: since when email and phone are suppressed, by whom and why. Owners can lift either. */
export function SuppressionPanel({ leadId, suppression, canLift }: SuppressionPanelProps) {
  const [lifting, setLifting] = useState<IdentityKind | null>(null);
  const close = (): void => setLifting(null);
  return (
    <Notice aria-label={leadDetailCopy.suppressed}>
      <strong>{leadDetailCopy.suppressed}</strong>
      <p>{leadDetailCopy.suppressedNotice}</p>
      <dl>
        {identityKinds.map((kind) => (
          <Identity
            key={kind}
            kind={kind}
            entry={suppression[kind]}
            {...(canLift ? { onLift: () => setLifting(kind) } : {})}
          />
        ))}
      </dl>
      <Dialog
        open={lifting !== null}
        onClose={close}
        title={lifting === null ? '' : suppressionCopy.liftTitles[lifting]}
      >
        {lifting === null ? null : <LiftForm leadId={leadId} kind={lifting} onDone={close} />}
      </Dialog>
    </Notice>
  );
}

interface IdentityProps {
  kind: IdentityKind;
  entry: SuppressionEntry | null;
  onLift?: () => void;
}

function Identity({ kind, entry, onLift }: IdentityProps) {
  const name = identityNames[kind];
  return (
    <Row>
      <dt>{name}</dt>
      <dd>
        {entry === null ? (
          suppressionCopy.notListed
        ) : (
          <>
            <p>{suppressionCopy.reasons[entry.reason]}</p>
            <MutedFigures as="p" title={instantHint(entry.since)}>
              {suppressionCopy.since(instantText(entry.since), entry.by)}
            </MutedFigures>
          </>
        )}
      </dd>
      {entry === null || onLift === undefined ? null : (
        <dd>
          <ActionButton aria-label={suppressionCopy.liftOf(name)} onClick={onLift}>
            {suppressionCopy.lift}
          </ActionButton>
        </dd>
      )}
    </Row>
  );
}

function LiftForm({ leadId, kind, onDone }: { leadId: number; kind: IdentityKind; onDone: () => void }) {
  const lift = adminApi.admin.suppressions.lift.useMutation(withReport({ ...adminMessages.lift, onDone }));
  return (
    <ActionForm
      submitLabel={suppressionCopy.lift}
      onClose={onDone}
      act={(form) => lift.mutateAsync({ id: leadId, kind, reason: toText(form, 'reason') })}
    >
      {(errors) => (
        <>
          <p>{suppressionCopy.liftText}</p>
          <Field
            label={suppressionCopy.reason}
            hint={suppressionCopy.reasonHint}
            name="reason"
            maxLength={200}
            autoComplete="off"
            error={errors['reason']}
          />
        </>
      )}
    </ActionForm>
  );
}

const Notice = styled.section`
  padding: 0.75rem 1rem;
  border: 1px solid color-mix(in srgb, ${token.danger} 40%, #ffffff);
  border-radius: ${token.radius};
  background: color-mix(in srgb, ${token.danger} 5%, #ffffff);
  line-height: 1.4;
`;

const Row = styled.div`
  display: grid;
  grid-template-columns: 4rem minmax(0, 1fr) auto;
  align-items: start;
  gap: 0.75rem;
  margin-block-start: 0.75rem;
  padding-block-start: 0.75rem;
  border-block-start: 1px solid color-mix(in srgb, ${token.danger} 20%, #ffffff);
  font-size: 0.9375rem;
  overflow-wrap: anywhere;

  & dt {
    color: ${token.muted};
  }

  & dd {
    margin: 0;
  }
`;
