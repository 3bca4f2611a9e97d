import { readFile } from 'node:fs/promises'
import type { Download } from 'playwright-core'

/** The lines of a saved CSV, its header first. */
export const savedLines = async (saved: Download): Promise<string[]> =>
  (await readFile(await saved.path(), 'utf8')).trim().split('\r\n')
