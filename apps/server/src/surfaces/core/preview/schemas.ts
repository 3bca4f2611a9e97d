import Type from 'typebox'

/** A rate in percent with two decimal places, without a percent sign (contract 1). */
export const rate = (description: string) =>
  Type.String({ pattern: '^-?[0-9]+\\.[0-9]{2}$', description: `${description} Percent.`, examples: ['6.00'] })

/** A token in enhanced responses (spec 2.2). */
export const TokenDetail = Type.Object(
  {
    symbol: Type.String({ description: 'Symbol.' }),
    decimals: Type.Integer({ description: 'Decimals.' }),
    mintAddress: Type.String({ description: 'Address of the token.' }),
  },
  { $id: 'TokenDetail', description: 'A token.' },
)
