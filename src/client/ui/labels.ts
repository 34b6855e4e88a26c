import { createContext, use } from 'react';

/** Texts of the buttons that this kit draws by itself. */
interface Labels {
  close: string;
  dismiss: string;
}

const LabelsContext = createContext<Labels | null>(null);

/** Once around the whole page. */
export const LabelsProvider = LabelsContext.Provider;

export function useLabels(): Labels {
  const labels = use(LabelsContext);
  if (labels === null) throw new Error('A component of client/ui needs a LabelsProvider');
  return labels;
}
