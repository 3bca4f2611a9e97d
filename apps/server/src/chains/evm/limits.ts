/** Contract calls per aggregate3: 200 reads of a lending pool stay far below the 50 M gas that nodes grant an eth_call. */
export const MULTICALL_CALLS_MAX = 200
