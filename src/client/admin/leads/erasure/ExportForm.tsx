import { useDownload } from '#client/admin/kit/useDownload.ts';
import { ActionForm } from '#client/admin/kit/ActionForm.tsx';
import { personFileHref, personCopy as copy } from './copy.ts';
import { PersonLeads, samePhone } from './PersonLeads.tsx';
import { PersonSearch } from './PersonSearch.tsx';

interface ExportFormProps {
  leadId: number;
  onDone: () => void;
}

/** Downloads all data about a person, after staff confirm which leads are theirs: the file is for that person. */
export function ExportForm({ leadId, onDone }: ExportFormProps) {
  const download = useDownload();
  return (
    <PersonSearch leadId={leadId}>
      {(person) => (
        <ActionForm
          submitLabel={copy.download}
          onCancel={onDone}
          act={(form) => {
            download(personFileHref(leadId, samePhone(person, form)));
            onDone();
            return Promise.resolve();
          }}
        >
          {() => <PersonLeads person={person} />}
        </ActionForm>
      )}
    </PersonSearch>
  );
}
