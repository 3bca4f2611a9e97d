import { ConfigError } from '../../config.ts'

/** An address to listen on, and the names of its settings. */
export interface ListenTarget {
  readonly host: string
  readonly port: number
  readonly hostSetting: string
  readonly portSetting: string
}

export interface ListenProblem {
  /** The setting to change. */
  readonly setting: string
  readonly message: string
  readonly remedy: string
}

/** Why the system refused to listen, by the code of its error; undefined if the code says nothing about the address. */
export function listenProblem(code: string | undefined, target: ListenTarget): ListenProblem | undefined {
  const { host, port, hostSetting, portSetting } = target
  switch (code) {
    case 'EADDRINUSE':
      return {
        setting: portSetting,
        message: `${port} on ${host} is in use`,
        remedy: `choose another with ${portSetting}`,
      }
    case 'EACCES':
      return { setting: portSetting, message: `this user may not listen on ${port}`, remedy: 'choose one above 1023' }
    case 'EADDRNOTAVAIL':
      return {
        setting: hostSetting,
        message: `${host} is not an address of this machine`,
        remedy: 'use 127.0.0.1, 0.0.0.0, or an address of its own',
      }
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return {
        setting: hostSetting,
        message: `${host} does not resolve`,
        remedy: 'use an address, or a name of this machine',
      }
    default:
      return undefined
  }
}

/** Runs a step that listens. Its error becomes one line with the setting to change. */
export async function explainListenError<T>(target: ListenTarget, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    const problem = listenProblem((error as NodeJS.ErrnoException).code, target)
    const { setting, message, remedy } = problem ?? {
      setting: target.portSetting,
      message: `cannot listen on ${target.host}:${target.port}: ${error instanceof Error ? error.message : String(error)}`,
      remedy: `check ${target.hostSetting} and ${target.portSetting}`,
    }
    throw new ConfigError([`${setting}: ${message}; ${remedy}`], { cause: error })
  }
}
