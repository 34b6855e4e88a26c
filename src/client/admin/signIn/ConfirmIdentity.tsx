import { useRef, useState } from 'react';
import { ActionForm } from '#client/admin/kit/ActionForm.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { useStaff } from '#client/admin/kit/staffContext.tsx';
import { toText } from '#client/admin/kit/text.ts';
import { Button } from '#client/ui/Button.tsx';
import { Dialog } from '#client/ui/Dialog.tsx';
import { Field } from '#client/ui/Field.tsx';
import { CodeField } from './SecondFactorSetUp.tsx';
import { factorCopy, gateCopy } from './copy.ts';

/** Calls that wait for the same answer. */
type Waiting = ((isConfirmed: boolean) => void)[];

/**
 * `confirm` opens one dialog for all calls that need a recent sign-in, and returns whether the member proved who they
 * are. `dialog` belongs inside the dashboard's providers.
 */
export function useConfirmIdentity() {
  const waiting = useRef<Waiting>([]);
  const [isOpen, setIsOpen] = useState(false);
  const [confirm] = useState(() => () => {
    setIsOpen(true);
    return new Promise<boolean>((resolve) => waiting.current.push(resolve));
  });
  const close = (isConfirmed: boolean): void => {
    setIsOpen(false);
    for (const resolve of waiting.current.splice(0)) resolve(isConfirmed);
  };
  return { confirm, dialog: isOpen ? <ConfirmIdentity onClose={close} /> : null };
}

/** Rendered only while it is open, so that it lies above the dialog or drawer that needs it. */
function ConfirmIdentity({ onClose }: { onClose: (isConfirmed: boolean) => void }) {
  const { name, email } = useStaff();
  const confirm = adminApi.admin.session.confirm.useMutation();
  const factor = adminApi.admin.secondFactor.own.useQuery();
  const hasFactor = typeof factor.data?.recoveryCodesLeft === 'number';
  const [byCode, setByCode] = useState(false);
  return (
    <Dialog open onClose={() => onClose(false)} title={gateCopy.confirm.title}>
      <ActionForm
        note={gateCopy.confirm.text(name)}
        submitLabel={gateCopy.confirm.action}
        onClose={() => onClose(false)}
        act={async (data) => {
          const code = toText(data, 'code');
          await confirm.mutateAsync(byCode ? { code } : { password: toText(data, 'password') });
          onClose(true);
        }}
      >
        {(errors) => (
          <>
            {/* A password manager finds the account by it. */}
            <input type="text" name="username" autoComplete="username" value={email ?? ''} readOnly hidden />
            {byCode ? (
              <CodeField id="confirm-code" error={errors['code']} />
            ) : (
              <Field
                label={gateCopy.password}
                // The dialog below may have such a field.
                id="confirm-password"
                name="password"
                type="password"
                autoComplete="current-password"
                maxLength={1024}
                error={errors['password']}
              />
            )}
            {hasFactor ? (
              <Button variant="quiet" onClick={() => setByCode(!byCode)}>
                {byCode ? gateCopy.confirm.usePassword : factorCopy.useApp}
              </Button>
            ) : null}
          </>
        )}
      </ActionForm>
    </Dialog>
  );
}
