import Type from 'typebox'
import { WALLET_LABEL_LENGTH_MAX } from '../../kernel/index.ts'

/** How lists name a wallet. */
export const walletLabel = Type.String({ description: 'Label of the wallet; its shortened address by default.' })

/** The label of a view that has the names of its wallet. */
export const labelOfSubject = (subject: { readonly walletLabel: string | null; readonly walletAddress: string }) =>
  labelOf({ label: subject.walletLabel, address: subject.walletAddress })

/** A search for wallets. */
export const walletText = Type.String({
  minLength: 1,
  maxLength: WALLET_LABEL_LENGTH_MAX,
  description: 'Only wallets whose label or address begins with this text, case-insensitive.',
})

/** The label of a wallet, or `0x12ab…cd34`. */
export function labelOf({ label, address }: { readonly label: string | null; readonly address: string }): string {
  return label ?? `${address.slice(0, 6)}…${address.slice(-4)}`
}
