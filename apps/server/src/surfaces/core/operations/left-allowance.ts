import Type from 'typebox'
import { Amount, orNull } from '../formats.ts'

/** The allowance that an ended supply left to its venue. */
export const LeftAllowance = orNull(
  Type.Object({
    spender: Type.String({ description: 'Contract that may still take tokens from the wallet.' }),
    amount: Amount,
    revocation: Type.Object(
      {
        to: Type.String({ description: 'The token.' }),
        data: Type.String({ description: 'Call data of `approve(spender, 0)`.' }),
      },
      { description: 'The call with which the wallet revokes the allowance.' },
    ),
  }),
  'Allowance of an ended SUPPLY whose token approval landed and whose deposit did not, as the chain has it now; null if none is left. The next deposit to the same contract uses it up.',
)
