import { Alert } from '@mantine/core'
import type { Schema } from '../../api/types.ts'
import { grouped } from '../../lib/money/money.ts'
import { counted } from '../../lib/text/counted.ts'
import { LightText, PageLink } from '../../parts/light.tsx'

interface Props {
  /** The first wallets whose liquid money is less than their buffer. */
  readonly wallets: readonly Schema<'OperationalWallet'>[]
  /** How many there are. */
  readonly total: number
}

/** Warns of wallets below their buffer. */
export function BelowBuffer({ wallets, total }: Props) {
  if (total === 0) return null
  return (
    <Alert
      color="yellow"
      title={total === 1 ? '1 wallet is below its buffer' : `${counted(total, 'wallet')} are below their buffers`}
    >
      {wallets.map(({ id, address, label, token, availableBalance, bufferAmount }) => (
        <LightText key={id} size="sm">
          <PageLink to="/app/wallets" search={{ open: id }} underline="always">
            {label ?? address}
          </PageLink>
          : {grouped(availableBalance)} of {grouped(bufferAmount)} {token}
        </LightText>
      ))}
      {total > wallets.length && (
        <PageLink to="/app/wallets" search={{ below: 'buffer' }} size="sm" underline="always">
          All {total} of them
        </PageLink>
      )}
    </Alert>
  )
}
