import { type ReactNode, type SubmitEvent, useState } from 'react';
import { css, styled } from 'styled-components';
import { toApiError } from '#client/api/trpc.ts';
import { token } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import { DialogActions } from '#client/ui/Dialog.tsx';
import { adminCopy } from '#shared/admin/copy.ts';
import { formCopy } from './copy.ts';
import { Stack } from './layout.tsx';
import { reportDone } from './reports.ts';

interface ActionFormProps<Output> {
  submitLabel: string;
  /** The button is red: the action can't be undone. */
  isDangerous?: boolean;
  /** Runs the action. The form shows its errors, each beside its field. */
  act: (data: FormData) => Promise<Output>;
  /** The toast of a success, after which the form closes; left out, the caller does both. */
  done?: (output: Output) => string;
  onClose: () => void;
  /** Renders the fields, with their errors by name. */
  children: (errors: Readonly<Record<string, string>>) => ReactNode;
}

/** The content of a dialog with one action. */
export function ActionForm<Output>({
  submitLabel,
  isDangerous = false,
  act,
  done,
  onClose,
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
      onClose();
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
      {children(errors)}
      <Failure role="alert">{message}</Failure>
      <DialogActions>
        <Button variant="quiet" onClick={onClose}>
          {adminCopy.cancel}
        </Button>
        <Submit type="submit" $isDangerous={isDangerous} aria-disabled={isBusy}>
          {isBusy ? adminCopy.busy : submitLabel}
        </Submit>
      </DialogActions>
    </Stack>
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
