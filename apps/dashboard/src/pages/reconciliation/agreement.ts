import { counted } from '../../lib/text/counted.ts'

/** The service names no more quarantined wallets than this. */
const NAMED = 100

interface Counts {
  /** Breaks that nobody accepted; like the other counts, undefined until it is known. */
  readonly open: number | undefined
  readonly accepted: number | undefined
  readonly quarantined: number | undefined
}

interface Agreement {
  readonly agrees: boolean
  readonly title: string
  readonly text: string
  /** Whether every wallet is compared. */
  readonly isCompared: boolean
}

const ALL = 'Every final block is compared with the ledger. A difference opens a break here.'
const LESS = "The amounts on this page are the ledger's; the chain has less, for the reasons below."
const STOPPED =
  'The ledger of a quarantined wallet stops at the block that could not be settled; a later difference opens no break yet.'

/** What can be said of ledger and chain as a whole; undefined while something is unknown, and of open breaks alone. */
export function agreementOf({ open, accepted, quarantined }: Counts): Agreement | undefined {
  if (open === 0 && accepted === 0 && quarantined === 0)
    return { agrees: true, title: 'Ledger and chain agree', text: ALL, isCompared: true }
  const parts: (readonly [string, string])[] = []
  if (accepted)
    parts.push([`${counted(accepted, 'accepted difference')} ${accepted === 1 ? 'remains' : 'remain'}`, LESS])
  if (quarantined) parts.push([notCompared(quarantined), STOPPED])
  if (parts.length === 0) return
  return {
    agrees: false,
    title: parts.map(([title]) => title).join(', '),
    text: parts.map(([, text]) => text).join(' '),
    isCompared: !quarantined,
  }
}

const notCompared = (count: number): string => {
  const wallets = counted(count, 'wallet')
  return `${count < NAMED ? wallets : `${wallets} or more`} ${count === 1 ? 'is' : 'are'} not compared at the moment`
}
