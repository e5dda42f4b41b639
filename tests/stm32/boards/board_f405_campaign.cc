#include "tests/stm32/boards/board_campaign.h"
#include "tests/stm32/boards/chip_f405.h"

int main(int count, char** words) { return tactus::board::rig::RunCampaign<tactus::board::Chip>("stm32f405", count, words); }
