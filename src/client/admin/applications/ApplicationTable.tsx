import { styled } from 'styled-components';
import { RelativeTime } from '#client/admin/kit/RelativeTime.tsx';
import { token } from '#client/theme/tokens.ts';
import { Badge } from '#client/ui/Badge.tsx';
import { Clock, ShieldAlert } from '#client/ui/Icon.tsx';
import { Select } from '#client/ui/Select.tsx';
import { Skeleton } from '#client/ui/Skeleton.tsx';
import { Table, TableFrame } from '#client/ui/Table.tsx';
import { VisuallyHidden } from '#client/ui/VisuallyHidden.tsx';
import type { AdminApplication } from '#shared/applications/adminApplications.ts';
import { applicationStatuses } from '#shared/applications/applications.ts';
import { applicationCopy } from './copy.ts';
import { phoneE164 } from '#shared/leads/phone.ts';
import { useSetApplicationStatus } from './useApplications.ts';

const { columns, statuses } = applicationCopy;
const statusOptions = applicationStatuses.map((value) => ({ value, label: statuses[value] }));
const skeletonRows = [1, 2, 3, 4, 5] as const;

interface ApplicationTableProps {
  /** Null: they are on their way. */
  applications: readonly AdminApplication[] | null;
  isRefreshing: boolean;
  now: number;
  canChange: boolean;
}

/** The page of applications, each with how far staff have come. */
export function ApplicationTable({ applications, isRefreshing, now, canChange }: ApplicationTableProps) {
  return (
    <TableFrame label={applicationCopy.caption} isBusy={applications === null || isRefreshing}>
      <Table>
        <caption>
          <VisuallyHidden>
            {applications === null ? applicationCopy.loading : applicationCopy.caption}
          </VisuallyHidden>
        </caption>
        <thead>
          <tr>
            {Object.entries(columns).map(([key, label]) => (
              <th key={key} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {applications === null
            ? skeletonRows.map((row) => (
                <tr key={row} data-skeleton="">
                  {Object.keys(columns).map((key) => (
                    <td key={key}>
                      <Skeleton $width="80%" />
                    </td>
                  ))}
                </tr>
              ))
            : applications.map((application) => (
                <ApplicationRow key={application.id} {...{ application, now, canChange }} />
              ))}
        </tbody>
      </Table>
    </TableFrame>
  );
}

interface ApplicationRowProps {
  application: AdminApplication;
  now: number;
  canChange: boolean;
}

function ApplicationRow({ application, now, canChange }: ApplicationRowProps) {
  const setStatus = useSetApplicationStatus();
  const { id, phone, status, practice_name: practice } = application;
  return (
    <tr>
      <th scope="row">
        <strong>{practice}</strong>
        {application.quarantineReason === null ? null : (
          <>
            {' '}
            {application.quarantineReason === 'over-limit' ? (
              <Badge tone="warning">
                <Clock />
                {applicationCopy.overLimit}
              </Badge>
            ) : (
              <Badge tone="danger">
                <ShieldAlert />
                {applicationCopy.quarantined}
              </Badge>
            )}
          </>
        )}
        {application.website === null ? null : <Muted>{application.website}</Muted>}
      </th>
      <td>
        {application.contact_name}, {application.role}
        <Muted>
          <a href={`mailto:${application.email}`}>{application.email}</a>
          <a href={`tel:${phoneE164(phone) ?? phone}`}>{phone}</a>
        </Muted>
      </td>
      <td>{application.zip_code}</td>
      <td>
        <RelativeTime iso={application.created_at} now={now} />
      </td>
      <Message>{application.message}</Message>
      <td>
        {canChange ? (
          <Select
            label={applicationCopy.statusOf(practice)}
            isLabelHidden
            options={statusOptions}
            value={setStatus.isPending ? setStatus.variables.status : status}
            onChoose={(value) => {
              const chosen = applicationStatuses.find((one) => one === value);
              if (chosen !== undefined) setStatus.mutate({ id, status: chosen });
            }}
          />
        ) : (
          statuses[status]
        )}
      </td>
    </tr>
  );
}

const Muted = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 0 0.75rem;
  color: ${token.muted};
  font-size: 0.8125rem;
  overflow-wrap: anywhere;

  & a {
    padding-block: 0.1875rem;
  }
`;

const Message = styled.td`
  min-inline-size: 12rem;
  max-inline-size: 22rem;
  font-size: 0.875rem;
  overflow-wrap: anywhere;
`;
