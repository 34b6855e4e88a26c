import { type ReactNode, type SubmitEvent, useState } from 'react';
import { css, styled } from 'styled-components';
import { toApiError } from '#client/api/trpc.ts';
import { token } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import { Dialog } from '#client/ui/Dialog.tsx';
import { DialogActions } from '#client/ui/ModalContent.tsx';
import { adminCopy, adminMessages } from '#shared/admin/copy.ts';
import { ActionButton } from './ActionButton.tsx';
import { adminApi } from './adminApi.tsx';
import { activationCopy, formCopy } from './copy.ts';
import { Row, Stack } from './layout.tsx';
import { reportDone, withReport } from './reports.ts';

export interface ActionFormProps<Output> {
  submitLabel: string;
  /** The button is red: the action can't be undone. */
  isDangerous?: boolean;
  /** Runs the action. The form shows its errors, each beside its field. */
  act: (data: FormData) => Promise<Output>;
  /** The toast of a success, after which the form closes; left out, the caller does both. */
  done?: (output: Output) => string;
  /** Left out: the form is part of a page, not of a dialog. */
  onClose?: () => void;
  /** What the action does, above the fields. */
  note?: string;
  /** Renders the fields, with their errors by name. Left out: there are none, the form only asks. */
  children?: (errors: Readonly<Record<string, string>>) => ReactNode;
}

/** The form of one action, in a dialog or on a page. */
export function ActionForm<Output>({
  submitLabel,
  isDangerous = false,
  act,
  done,
  onClose,
  note,
  children,
}: ActionFormProps<Output>) {
  const [isBusy, setIsBusy] = useState(false);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [message, setMessage] = useState('');
  async function submit(form: HTMLFormElement): Promise<void> {
    if (isBusy) return;
    setIsBusy(true);
    setMessage('');
    setErrors({});
    try {
      const output = await act(new FormData(form));
      if (done === undefined) return;
      onClose?.();
      reportDone(done(output));
    } catch (thrown) {
      const { fields, userMessage } = toApiError(thrown);
      const hasField = Object.keys(fields).some((name) => form.elements.namedItem(name) !== null);
      setErrors(fields);
      setMessage(hasField ? '' : (userMessage ?? formCopy.failed));
      focusFirst(form, fields);
    } finally {
      setIsBusy(false);
    }
  }
  const submitButton = (
    <Submit type="submit" $isDangerous={isDangerous} aria-disabled={isBusy}>
      {isBusy ? adminCopy.busy : submitLabel}
    </Submit>
  );
  return (
    <Stack
      as="form"
      method="post"
      noValidate
      onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault();
        void submit(event.currentTarget);
      }}
    >
      {note === undefined ? null : <p>{note}</p>}
      {children?.(errors)}
      <Failure role="alert">{message}</Failure>
      {onClose === undefined ? (
        <div>{submitButton}</div>
      ) : (
        <DialogActions>
          <Button variant="quiet" onClick={onClose}>
            {adminCopy.cancel}
          </Button>
          {submitButton}
        </DialogActions>
      )}
    </Stack>
  );
}

/** Asks before one action, in a dialog that is open while it is rendered. */
export function ActionDialog<Output>({
  title,
  onClose,
  ...form
}: ActionFormProps<Output> & { title: string; onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title={title}>
      <ActionForm onClose={onClose} {...form} />
    </Dialog>
  );
}

function focusFirst(form: HTMLFormElement, fields: Readonly<Record<string, string>>): void {
  const first = [...form.elements].find(
    (element) => element instanceof HTMLElement && (element.getAttribute('name') ?? '') in fields,
  );
  if (first instanceof HTMLElement) first.focus();
}

const Failure = styled.p`
  color: ${token.danger};
  font-weight: 500;

  &:empty {
    display: none;
  }
`;

const Submit = styled(Button)<{ $isDangerous: boolean }>`
  ${({ $isDangerous }) =>
    $isDangerous &&
    css`
      --action: ${token.danger};
      --action-hover: color-mix(in srgb, ${token.danger} 80%, #000000);
    `}
`;

interface ActivateProviderProps {
  provider: { id: number; name: string; email: string; isActive: boolean };
  /** Whether somebody vouches for its address; otherwise staff are asked first. */
  isConfirmed: boolean;
  /** Whether it is the screen's main action. */
  isPrimary?: boolean;
}

/** Activates a provider that exists only here, or deactivates it, with Undo. */
export function ActivateProvider({ provider, isConfirmed, isPrimary = false }: ActivateProviderProps) {
  const { id, name, email, isActive } = provider;
  const [isAsking, setIsAsking] = useState(false);
  const restore = adminApi.admin.providers.setActive.useMutation(
    withReport(isActive ? adminMessages.deactivateProvider : adminMessages.activateProvider),
  );
  const change = adminApi.admin.providers.setActive.useMutation(
    withReport({
      ...(isActive ? adminMessages.deactivateProvider : adminMessages.activateProvider),
      undo:
        (_, { isActive: isOn }) =>
        () =>
          restore.mutate({ id, isActive: !isOn }),
      onDone: () => setIsAsking(false),
    }),
  );
  const isBusy = change.isPending || restore.isPending;
  const press = (): void => change.mutate({ id, isActive: !isActive });
  return (
    <Row>
      <ActionButton
        variant={isPrimary && !isActive ? 'primary' : 'secondary'}
        isBusy={isBusy}
        aria-label={isActive ? activationCopy.deactivateLabel(name) : activationCopy.activateLabel(name)}
        onClick={() => (isActive || isConfirmed ? press() : setIsAsking(true))}
      >
        {isActive ? activationCopy.deactivate : activationCopy.activate}
      </ActionButton>
      <span>{isActive ? activationCopy.active : activationCopy.inactive}</span>
      <Dialog open={isAsking} onClose={() => setIsAsking(false)} title={activationCopy.activateLabel(name)}>
        <p>{activationCopy.askUnconfirmed(email)}</p>
        <DialogActions>
          <Button variant="secondary" onClick={() => setIsAsking(false)}>
            {adminCopy.cancel}
          </Button>
          <Button aria-disabled={isBusy} onClick={() => (isBusy ? undefined : press())}>
            {activationCopy.activate}
          </Button>
        </DialogActions>
      </Dialog>
    </Row>
  );
}
