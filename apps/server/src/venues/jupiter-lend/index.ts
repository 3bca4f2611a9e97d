export { LENDING_PROGRAM } from './program.ts'
export { jupiterLend } from './venue.ts'
