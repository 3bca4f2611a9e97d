import type { Schema } from '../../api/types.ts'
import { grouped } from '../../lib/money/money.ts'
import { words } from '../../lib/text/words.ts'
import { chainName } from '../values.tsx'

/** A place to go to. */
export interface Found {
  readonly title: string
  readonly about: string
  readonly path: string
  readonly search?: Record<string, string | number>
}

export type Results = Schema<'SearchResults'>

/** An address by its label; the service labels a wallet that nobody named with the beginning of its address. */
const named = ({ address, label }: { readonly address: string; readonly label: string }): string =>
  label.startsWith(address.slice(0, 6)) ? `Wallet ${address}` : `${label} ${address}`

/** What the service found, as places to go to. */
export function placesOf({ wallets, operations, payments, recipients, members }: Results): Found[] {
  return [
    ...wallets.map((wallet) => ({
      path: '/app/wallets',
      search: wallet.opWalletIds[0] ? { open: wallet.opWalletIds[0] } : { tab: 'all', q: wallet.address },
      title: named(wallet),
      about: `${wallet.opWalletIds.length > 0 ? 'Operational wallet' : 'Address'} on ${chainName(wallet.blockchain)}`,
    })),
    ...operations.map(({ id, type, status, amount, token }) => ({
      path: '/app/operations',
      search: { open: id },
      title: `Operation ${id}`,
      about: `${words(type)} ${grouped(amount)} ${token}, ${words(status)}`,
    })),
    ...payments.map(({ id, type, status, usdAmount, recipient }) => ({
      path: '/app/ramp',
      search: { tab: 'payments', open: id },
      title: `Payment ${id}`,
      about: `${type === 'onramp' ? 'In' : 'Out'}, ${grouped(usdAmount)} USD${recipient ? `, ${recipient}` : ''}, ${words(status)}`,
    })),
    ...recipients.map(({ id, name, kybStatus }) => ({
      path: '/app/ramp',
      search: { tab: 'recipients', open: id },
      title: name,
      about: `Recipient ${id}${kybStatus ? `, ${words(kybStatus)}` : ''}`,
    })),
    ...members.map(({ email, name, role }) => ({
      path: '/app/members',
      title: name ?? email,
      about: `${name ? `${email}, ` : ''}${role}`,
    })),
  ]
}

/** An operational wallet as a place. */
export const operationalPlace = ({
  id,
  address,
  label = '',
  blockchain,
  token,
}: Schema<'OperationalWallet'>): Found => ({
  path: '/app/wallets',
  search: { open: id },
  title: named({ address, label }),
  about: `Operational wallet ${id}, ${token} on ${chainName(blockchain)}`,
})

/** A wallet of the organization as a place. */
export const walletPlace = ({ id, address, label, blockchain }: Schema<'OrgWallet'>): Found => ({
  path: '/app/wallets',
  search: { tab: 'all', q: address },
  title: named({ address, label }),
  about: `Wallet ${id}, address on ${chainName(blockchain)}`,
})

/** A position as a place. */
export const positionPlace = ({ id, strategy, venue, currentValue, token }: Schema<'CoreAllocationDetail'>): Found => ({
  path: '/app/allocations',
  search: { open: id },
  title: `Position ${id}`,
  about: `${strategy ?? venue}, ${grouped(currentValue)} ${token}`,
})
