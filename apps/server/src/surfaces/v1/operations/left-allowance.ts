import Type from 'typebox'
import type { SpenderAllowance } from '../../../venues/index.ts'
import { baseUnits } from '../schemas.ts'

/** The allowance that an ended supply left to its venue. */
export const LeftAllowance = Type.Object(
  {
    spender: Type.String({ description: 'Contract that may still take tokens from the wallet.' }),
    amount: baseUnits('How much it may take.'),
    revocation: Type.Object(
      {
        to: Type.String({ description: 'The token.' }),
        data: Type.String({ description: 'Call data of `approve(spender, 0)`.' }),
      },
      { description: 'The call that revokes it, for wallets that send without Weir.' },
    ),
  },
  {
    description:
      'Only in the response of a single operation: what a supply left that ended between token approval and deposit, as the chain has it now. The next supply to the strategy uses it up; `POST /v1/operations/revoke-allowance` plans its revocation. Absent if nothing is left, and while another operation of the wallet may need it.',
  },
)

export const presentLeftAllowance = (left: SpenderAllowance | null) =>
  left && { leftAllowance: { ...left, amount: left.amount.toString() } }
