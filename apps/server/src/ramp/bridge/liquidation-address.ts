import { isBlockchain, normalizeAddress } from '../../chains/index.ts'
import { assert } from '../../kernel/index.ts'
import type { AccountWish, BankDetails, PayoutAccount } from '../port.ts'
import { externalAccount } from './external-account.ts'
import { type Json, textOf } from './fields.ts'
import { carryOut, isInUse } from './intents.ts'
import { customerOf } from './kyc-link.ts'
import { currencyOf, payoutRailOf } from './names.ts'
import { refused } from './refused.ts'
import { type AccountParts, developerFeePercent } from './virtual-account.ts'

/**
 * An address whose tokens are paid out to a bank account; what cannot be paid out returns to the wallet. Errors:
 * ASSET_NOT_SUPPORTED, KYB_NOT_APPROVED, CONFLICT (the customer has one for this bank account, chain and token),
 * VALIDATION_ERROR, RAMP_UNAVAILABLE.
 */
export async function openLiquidationAddress(
  parts: AccountParts,
  wish: AccountWish & { readonly bank: BankDetails },
): Promise<PayoutAccount> {
  const [currency, rail] = [currencyOf(wish), payoutRailOf(wish.rail)]
  const customer = await customerOf(parts, wish.kybReference)
  const path = `/customers/${customer}/liquidation_addresses`
  try {
    const bank = await externalAccount(parts, customer, wish)
    const asked = {
      chain: wish.blockchain,
      currency,
      external_account_id: bank,
      destination_payment_rail: rail,
      destination_currency: 'usd',
    }
    const developerFee = await developerFeePercent(parts, wish.organizationId)
    const made = await carryOut(
      parts,
      {
        organizationId: wish.organizationId,
        kind: 'liquidation_address',
        asked: [customer, ...Object.values(asked), wish.walletAddress, developerFee],
        isShared: false,
      },
      {
        async look(reference) {
          for await (const page of parts.client.pages(path)) {
            for (const one of page) {
              const isIt = reference === null ? isFor(one, asked) : one.id === reference
              if (isIt && !(await isInUse(parts.db, textOf(one, 'id') ?? ''))) return one
            }
          }
          return undefined
        },
        create: (key) =>
          parts.client.post(
            path,
            { ...asked, return_address: wish.walletAddress, custom_developer_fee_percent: developerFee },
            key,
          ),
      },
    )
    return accountIn(made, wish)
  } catch (error) {
    return refused(parts.log, error)
  }
}

/** The partner may leave out what it was not asked for: what it says must agree, and chain, token and bank it says. */
function isFor(address: Json, asked: Readonly<Record<string, string>>): boolean {
  const isSaid = ['chain', 'currency', 'external_account_id'].every((name) => address[name] === asked[name])
  const rail = textOf(address, 'destination_payment_rail')
  return isSaid && address.state !== 'inactive' && (rail === undefined || rail === asked.destination_payment_rail)
}

function accountIn(made: Json, { blockchain }: AccountWish): PayoutAccount {
  const address = textOf(made, 'address') ?? ''
  const depositAddress = isBlockchain(blockchain) ? normalizeAddress(blockchain, address) : undefined
  assert(depositAddress, 'a deposit address is one of its chain')
  return { reference: textOf(made, 'id') ?? '', depositAddress }
}
