// Plays a time from where it is to the end.

export interface Played {
  now(): number;
  span(): [number, number];
  speed(): number;
  go(time: number): void;
  /** Called when playing begins and when it ends. */
  onChange(isPlaying: boolean): void;
}

/** The clock of an animation, which follows that of the wall. */
export class Player {
  isPlaying = false;
  private last: number | null = null;

  constructor(private readonly played: Played) {}

  /** Plays, from the start if the time is at the end, or pauses. */
  play(on: boolean): void {
    if (on === this.isPlaying) return;
    const [start, stop] = this.played.span();
    if (on && this.played.now() >= stop) this.played.go(start);
    this.isPlaying = on;
    this.last = null;
    this.played.onChange(on);
    if (on) requestAnimationFrame((instant) => this.advance(instant));
  }

  /** Goes on by the time since the last picture; `instant` is in ms. */
  advance(instant: number): void {
    if (!this.isPlaying) return;
    const passed = this.last === null ? 0 : (instant - this.last) / 1000, [, stop] = this.played.span();
    this.last = instant;
    this.played.go(Math.min(this.played.now() + passed * this.played.speed(), stop));
    if (this.played.now() >= stop) this.play(false);
    else requestAnimationFrame((next) => this.advance(next));
  }
}
