import type { RpcError } from '../../rpc/endpoint.ts'

/** Whether a call used up all the gas that a node allows: another node would refuse it too. */
export const isOutOfGas = ({ message }: RpcError): boolean =>
  /out ?of ?gas|gas required exceeds|gas limit/i.test(message)

/** Whether a node gave up on a call that took too long: it may be the call, or a node with too much to do. */
export const isGivenUp = ({ message }: RpcError): boolean => /execution aborted/i.test(message)
