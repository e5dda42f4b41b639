#include "tests/stm32/boards/board_campaign.h"
#include "tests/stm32/boards/chip_g431.h"

int main(int count, char** words) {
  return tactus::board::rig::RunCampaign<tactus::board::Chip>("b-g431b-esc1", count, words);
}
