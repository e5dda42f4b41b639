#pragma once

extern "C" {

// Two empty functions around the work of one tick, from the bytes of its sample to the bytes of its command. An instruction
// counter outside (toolchain/tick_counter) finds them by name. Between a begin and the next end lies one tick; a begin
// without an end was an interrupt in which no tick was due.
void tactus_tick_begin();
void tactus_tick_end();
}
