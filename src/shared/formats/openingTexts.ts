/** How hours are written. */
export const openingTexts = {
  weekdays: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  closed: 'Closed',
  allDay: 'Open 24 hours',
  /** Known without the time of the reader: the server renders it. */
  until: ({ isOpen, until }: { isOpen: boolean; until: string | null }): string =>
    `${isOpen ? 'Open now' : 'Closed now'}${until === null ? '' : `, ${isOpen ? 'until' : 'opens'} ${until}`}`,
  holidays: 'Holidays may differ.',
} as const;
