import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { withReport } from '#client/admin/kit/reports.ts';
import { Checkbox } from '#client/ui/Checkbox.tsx';
import { weeklyEmailCopy as copy } from '#shared/admin/summaryCopy.ts';

/** An owner's own weekly email, in the time zone of the days on screen. */
export function WeeklyEmail({ zone = 'UTC' }: { zone: string | undefined }) {
  const { data } = adminApi.admin.insights.weeklyEmail.useQuery();
  const set = adminApi.admin.insights.setWeeklyEmail.useMutation(withReport({ failed: copy.failed }));
  const isOn = data?.isOn ?? null;
  if (isOn === null) return null;
  return (
    <Checkbox
      name="weekly-email"
      label={copy.label(zone)}
      checked={set.isPending ? set.variables.zone !== null : isOn}
      onChange={({ target }) => set.mutate({ zone: target.checked ? zone : null })}
    />
  );
}
