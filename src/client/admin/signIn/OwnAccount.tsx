import { ActionForm } from '#client/admin/kit/ActionForm.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { formCopy, sessionCopy } from '#client/admin/kit/copy.ts';
import { withReport } from '#client/admin/kit/reports.ts';
import { SessionList } from '#client/admin/kit/SettingsFrame.tsx';
import { useStaff } from '#client/admin/kit/staffContext.tsx';
import { toText } from '#client/admin/kit/text.ts';
import { Button } from '#client/ui/Button.tsx';
import { Dialog } from '#client/ui/Dialog.tsx';
import { Field } from '#client/ui/Field.tsx';
import { passwordHint, passwordLengthMax } from '#shared/admin/access.ts';
import { OwnFactor } from './OwnFactor.tsx';
import { factorCopy, gateCopy } from './copy.ts';

/** The dialogs of the account menu. */
export type OwnAccountView = keyof typeof titles;

const titles = {
  password: gateCopy.changePassword,
  secondFactor: factorCopy.title,
  sessions: gateCopy.sessions,
} as const;

interface OwnAccountProps {
  view: OwnAccountView;
  isOpen: boolean;
  onClose: () => void;
}

/** A dialog of the account menu. */
export function OwnAccount({ view, isOpen, onClose }: OwnAccountProps) {
  return (
    <Dialog open={isOpen} onClose={onClose} title={titles[view]}>
      {view === 'password' ? <ChangePassword onClose={onClose} /> : null}
      {view === 'secondFactor' ? <OwnFactor onClose={onClose} /> : null}
      {view === 'sessions' ? <OwnSessions /> : null}
    </Dialog>
  );
}

function ChangePassword({ onClose }: { onClose: () => void }) {
  const { email } = useStaff();
  const change = adminApi.admin.session.changePassword.useMutation();
  return (
    <ActionForm
      note={gateCopy.changePasswordNote}
      submitLabel={gateCopy.changePassword}
      onClose={onClose}
      act={(data) =>
        change.mutateAsync({ current: toText(data, 'current'), password: toText(data, 'password') })
      }
      done={() => gateCopy.passwordChanged}
    >
      {(errors) => (
        <>
          {/* A password manager finds the account by it. */}
          <input type="text" name="username" autoComplete="username" value={email ?? ''} readOnly hidden />
          <Field
            label={gateCopy.currentPassword}
            name="current"
            type="password"
            autoComplete="current-password"
            maxLength={passwordLengthMax}
            error={errors['current']}
          />
          <Field
            label={gateCopy.newPassword}
            name="password"
            type="password"
            autoComplete="new-password"
            maxLength={passwordLengthMax}
            hint={passwordHint}
            error={errors['password']}
          />
        </>
      )}
    </ActionForm>
  );
}

function OwnSessions() {
  const sessions = adminApi.admin.session.list.useQuery(undefined, { refetchOnMount: 'always' });
  const report = { done: sessionCopy.ended, failed: formCopy.failed, isOneLine: true };
  const end = adminApi.admin.session.end.useMutation(withReport(report));
  const endOthers = adminApi.admin.session.endOthers.useMutation(withReport(report));
  const isBusy = end.isPending || endOthers.isPending;
  return (
    <SessionList
      lead={gateCopy.sessionsNote}
      sessions={sessions}
      isBusy={isBusy}
      onEnd={(id) => end.mutate({ id })}
      action={
        (sessions.data?.length ?? 0) > 1 ? (
          <Button
            variant="secondary"
            aria-disabled={isBusy}
            onClick={() => (isBusy ? undefined : endOthers.mutate())}
          >
            {gateCopy.endOthers}
          </Button>
        ) : null
      }
    />
  );
}
