import type { Control } from './control.ts'
import { CONTROL_HEADER, CONTROL_PATH } from './control-path.ts'

/** The client side of `Control`. */
export type ControlClient = {
  call<Name extends keyof Control>(
    name: Name,
    ...args: Parameters<Control[Name]>
  ): Promise<Awaited<ReturnType<Control[Name]>>>
}

/** Calls throw when the chain does not respond, or with its message when it refuses. */
export function controlClient(url: string, secret: string): ControlClient {
  return {
    async call<Name extends keyof Control>(
      method: Name,
      ...params: Parameters<Control[Name]>
    ): Promise<Awaited<ReturnType<Control[Name]>>> {
      const response = await fetch(`${url}${CONTROL_PATH}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', [CONTROL_HEADER]: secret },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      })
      if (!response.ok) throw new Error(`${url} answered with status ${response.status}`)
      const { result, error } = (await response.json()) as Answer<Awaited<ReturnType<Control[Name]>>>
      if (error !== undefined) throw new Error(error.message)
      return result
    },
  }
}

type Answer<Result> = { readonly result: Result; readonly error?: { readonly message: string } }
