import { AGENT } from './agent.ts'
import { API } from './api.ts'
import { BANK } from './bank.ts'
import { BROWSER } from './browser.ts'
import { DATABASE } from './database.ts'
import { HOST } from './host.ts'
import { IDP } from './idp.ts'
import { MAIL } from './mail.ts'
import { RECEIVER } from './receiver.ts'
import { RPC } from './rpc.ts'
import { SIGNER } from './signer.ts'
import type { ThreatenedPart } from './threat.ts'
import { WORKERS } from './workers.ts'

/** The parts of the system in the order of the document. */
export const PARTS: readonly ThreatenedPart[] = [
  API,
  WORKERS,
  DATABASE,
  AGENT,
  SIGNER,
  RPC,
  RECEIVER,
  BANK,
  HOST,
  BROWSER,
  IDP,
  MAIL,
]
