/** The symbols of the tokens that wallets hold, as filters offer them. */
export const TOKENS: readonly string[] = ['USDC', 'USDT']
