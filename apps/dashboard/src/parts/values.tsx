import { ActionIcon, Badge, CopyButton } from '@mantine/core'
import { useInterval } from '@mantine/hooks'
import { createContext, useContext, useState } from 'react'
import { useExplorer } from '../api/session.tsx'
import { exactTime, pastTime, relativeTime } from '../lib/dates/time.ts'
import { grouped } from '../lib/money/money.ts'
import { roomFor } from '../lib/money/places.ts'
import { usePreferences } from '../lib/page/preferences.ts'
import { ownLabel } from '../lib/text/own-label.ts'
import { words } from '../lib/text/words.ts'
import { CheckIcon, CopyIcon, OutIcon } from './icons.tsx'
import { LightGroup, LightText } from './light.tsx'

export { words } from '../lib/text/words.ts'

const MINUTE_MS = 60_000

/** An exact amount with its token, in figures of one width. */
export function Money({
  amount,
  token,
  strong,
  places = 0,
}: {
  readonly amount: string | null
  readonly token?: string | undefined
  readonly strong?: boolean | undefined
  /** Decimals of the amounts above and below it. */
  readonly places?: number | undefined
}) {
  if (amount === null || amount === '')
    return (
      <LightText as="span" c="dimmed">
        –
      </LightText>
    )
  return (
    <LightText as="span" inherit className="figures whole" fw={strong ? 600 : undefined}>
      {grouped(amount)}
      <span className="mantine-visible-from-sm">{roomFor(places, amount)}</span>
      {token && (
        <LightText as="span" c="dimmed" size="xs">
          {' '}
          {token}
        </LightText>
      )}
    </LightText>
  )
}

/** Whether the keyboard stops at times: among the facts of one thing, but not in each cell of a table. */
export const Reached = createContext(false)

/**
 * A time as the distance from now; the exact one in the reader's zone on hover and for screen readers. The chains of the
 * sandbox may be ahead: what has happened there is never "in 29 days", so such a time is shown by its date.
 */
export function Time({
  iso,
  isPast,
}: {
  readonly iso: string | null | undefined
  readonly isPast?: boolean | undefined
}) {
  const [now, setNow] = useState(Date.now)
  useInterval(() => setNow(Date.now()), MINUTE_MS, { autoInvoke: true })
  const { zone } = usePreferences()
  const isReached = useContext(Reached)
  if (iso == null)
    return (
      <LightText as="span" c="dimmed">
        –
      </LightText>
    )
  const exact = exactTime(iso, zone)
  return (
    <time dateTime={iso} title={exact} data-tip={exact} className="whole" {...(isReached && { tabIndex: 0 })}>
      <span className="no-print">{isPast ? pastTime(iso, now, zone) : relativeTime(iso, now)}</span>
      <span className="print-only">{exact}</span>
    </time>
  )
}

/** An address or a hash, shortened in the middle; a click copies the whole of it, and paper shows it. */
export function Hash({
  value,
  label,
  length = 6,
  chain,
}: {
  readonly value: string | null | undefined
  readonly label?: string | undefined
  readonly length?: number | undefined
  /** Of an address or a transaction: links to the chain's explorer, where it has one. */
  readonly chain?: string | undefined
}) {
  const explorer = useExplorer()
  if (!value)
    return (
      <LightText as="span" c="dimmed">
        –
      </LightText>
    )
  const href = chain === undefined ? undefined : explorer(chain, value)
  const isShort = value.length <= length * 2 + 3
  const name = ownLabel(value, label)
  return (
    <LightGroup gap={4} wrap="nowrap" style={{ display: 'inline-flex' }}>
      {name && (
        <LightText as="span" fw={500} className="label" title={name}>
          {name}
        </LightText>
      )}
      <LightText
        as="span"
        className={name ? 'figures hash named' : 'figures hash'}
        ff="monospace"
        size="sm"
        c={name ? 'dimmed' : undefined}
        tabIndex={0}
        role="img"
        aria-label={value}
        data-tip={value}
      >
        {isShort ? (
          value
        ) : (
          <>
            <span className="no-print">{`${value.slice(0, length)}…${value.slice(-4)}`}</span>
            <span className="print-only">{value}</span>
          </>
        )}
      </LightText>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            className="no-print"
            onClick={copy}
            aria-label={copied ? 'Copied' : `Copy ${value}`}
          >
            {copied ? <CheckIcon /> : <CopyIcon />}
          </ActionIcon>
        )}
      </CopyButton>
      {href && (
        <ActionIcon
          component="a"
          href={href}
          target="_blank"
          rel="noreferrer"
          variant="subtle"
          color="gray"
          size="sm"
          className="no-print"
          aria-label={`${value} in the explorer of ${chainName(chain ?? '')}`}
        >
          <OutIcon />
        </ActionIcon>
      )}
    </LightGroup>
  )
}

const COLORS: Readonly<Record<string, string>> = {
  completed: 'teal',
  confirmed: 'teal',
  active: 'teal',
  running: 'teal',
  starting: 'blue',
  restarting: 'yellow',
  approved: 'teal',
  delivered: 'teal',
  success: 'teal',
  enough: 'teal',
  silent: 'yellow',
  low: 'yellow',
  failed: 'red',
  rejected: 'red',
  aborted: 'gray',
  disabled: 'red',
  declined: 'red',
  reversed: 'red',
  failing: 'red',
  retrying: 'yellow',
  pending_approval: 'yellow',
  awaiting_signature: 'yellow',
  requested: 'yellow',
  submitted: 'blue',
  executing: 'blue',
  confirming: 'blue',
  processing: 'blue',
  in_progress: 'blue',
  pending: 'yellow',
  broadcasted: 'blue',
  open: 'red',
  breaker_open: 'red',
  withdrawals_paused: 'red',
  recovering: 'yellow',
  claimable: 'blue',
  claimed: 'teal',
}

/** A state by its word; the color only repeats it. */
export function Status({ value }: { readonly value: string | null }) {
  if (value === null)
    return (
      <LightText as="span" c="dimmed">
        –
      </LightText>
    )
  return (
    <Badge variant="light" color={COLORS[value.toLowerCase()] ?? 'gray'} tt="none" radius="sm" className="status">
      {words(value)}
    </Badge>
  )
}

const CHAINS: Readonly<Record<string, string>> = {
  ethereum: 'Ethereum',
  polygon: 'Polygon',
  base: 'Base',
  solana: 'Solana',
}
export const chainName = (blockchain: string): string => CHAINS[blockchain.toLowerCase()] ?? blockchain

/** Facts about one thing, as a list that reads in pairs. */
export function Facts({ items }: { readonly items: readonly (readonly [string, React.ReactNode])[] }) {
  return (
    <Reached value>
      <dl className="facts">
        {items.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Reached>
  )
}
