/** The network as prospective providers see it: how many there are, and where. */
export function RecruitmentMap() {
  return <p>Loading provider map...</p>;
}
