import type { Proof } from '../../lib/proofs/audit-proof.ts'

interface Verdict {
  readonly isSound: boolean
  readonly title: string
  readonly text: string
}

const listed = (ids: readonly number[]): string =>
  ids.length === 1 ? `entry ${ids[0]}` : `entries ${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ' and more' : ''}`

/** What a recomputation says, in the words of somebody who has to act on it. */
export function verdictOf({ entries, newest, oldest, altered, unlinked, isWhole }: Proof): Verdict {
  const keep = 'Keep the database as it is, and verify it on the host with npm run audit:verify.'
  if (altered.length > 0)
    return {
      isSound: false,
      title: `Somebody changed ${listed(altered)}`,
      text: `Computed in this browser, the hash of ${listed(altered)} is not the one that is stored. ${keep}`,
    }
  if (unlinked.length > 0)
    return {
      isSound: false,
      title: `The chain is broken at ${listed(unlinked)}`,
      text: `An entry names a different hash than that of the entry before it. ${keep}`,
    }
  if (!isWhole)
    return {
      isSound: true,
      title: entries === 1 ? 'This entry is as it was written' : `These ${entries} entries are as they were written`,
      text: 'Computed in this browser, each hash covers its entry. A filter leaves entries out, so this says nothing about those between them.',
    }
  const range = newest!.id === oldest!.id ? `Entry ${newest!.id}` : `Entries ${oldest!.id} to ${newest!.id}`
  return {
    isSound: true,
    title: oldest!.id === 1 ? 'The whole log holds together' : `${range} hold together`,
    text: `${range}: computed in this browser, each hash covers its entry, and each entry names the hash of the one before${oldest!.id === 1 ? ', back to the first' : ''}.`,
  }
}
