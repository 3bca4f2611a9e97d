/** As many characters of an address as the service begins a label of its own with. */
const BEGINNING = 6

/** The label that somebody gave a wallet. The service labels one that nobody named with the beginning of its address. */
export const ownLabel = (address: string | null | undefined, label: string | null | undefined): string | undefined =>
  !label || (address && label.startsWith(address.slice(0, BEGINNING))) ? undefined : label
